"""LaTeX's names and what stands for them in Unicode."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SYMBOLS = r"""
alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ lambda=λ
mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ Theta=Θ
Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω times=× cdot=· div=÷ pm=± mp=∓ ast=∗ star=⋆ circ=∘ bullet=•
oplus=⊕ otimes=⊗ odot=⊙ le=≤ leq=≤ leqslant=≤ ge=≥ geq=≥ geqslant=≥ ne=≠ neq=≠ approx=≈ equiv=≡ sim=∼ simeq=≃
cong=≅ propto=∝ ll=≪ gg=≫ in=∈ notin=∉ ni=∋ subset=⊂ subseteq=⊆ supset=⊃ supseteq=⊇ cup=∪ cap=∩ setminus=∖
emptyset=∅ varnothing=∅ forall=∀ exists=∃ neg=¬ lnot=¬ land=∧ wedge=∧ lor=∨ vee=∨ to=→ rightarrow=→
longrightarrow=→ leftarrow=← gets=← leftrightarrow=↔ Rightarrow=⇒ implies=⇒ Leftarrow=⇐ Leftrightarrow=⇔ iff=⇔
mapsto=↦ uparrow=↑ downarrow=↓ sum=∑ prod=∏ int=∫ iint=∬ oint=∮ partial=∂ nabla=∇ infty=∞ dots=… ldots=…
cdots=⋯ vdots=⋮ ddots=⋱ prime=′ angle=∠ perp=⊥ parallel=∥ mid=∣ langle=⟨ rangle=⟩ lfloor=⌊ rfloor=⌋ lceil=⌈
rceil=⌉ lvert=| rvert=| lVert=‖ rVert=‖ Vert=‖ hbar=ℏ ell=ℓ Re=ℜ Im=ℑ aleph=ℵ degree=° therefore=∴ because=∵
top=⊤ bot=⊥ vdash=⊢ models=⊨ triangle=△ square=□ checkmark=✓ dagger=† colon=: backslash=\
"""

_FUNCTIONS = r"""
sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim limsup liminf max min sup inf
arg argmax argmin det dim ker deg gcd Pr mod bmod
"""

_PLAIN = r"""
text textbf textit textrm texttt mathrm mathbf mathit mathsf mathtt boldsymbol bm operatorname mbox
"""

_NOTHING = r"""
left right big Big bigg Bigg bigl bigr Bigl Bigr displaystyle textstyle limits nolimits label tag nonumber
"""

_UP = "0123456789+-=()niTabcdefghjklmoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
_DOWN = "0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"


def _table(keys: str, values: str) -> Mapping[str, str]:
    return MappingProxyType(dict(zip(keys, values, strict=True)))


SYMBOLS: Mapping[str, str] = MappingProxyType(dict(pair.split("=", 1) for pair in _SYMBOLS.split()))
FUNCTIONS = frozenset(_FUNCTIONS.split())
PLAIN = frozenset(_PLAIN.split())
"""Commands that only set their argument in another type."""

NOTHING = frozenset(_NOTHING.split())
SPACES = frozenset(("quad", "qquad", ",", ";", ":", " ", ">", "enspace", "space"))
ACCENTS: Mapping[str, str] = MappingProxyType(
    {
        "hat": "\u0302",
        "widehat": "\u0302",
        "bar": "\u0304",
        "overline": "\u0305",
        "tilde": "\u0303",
        "vec": "\u20d7",
        "dot": "\u0307",
        "ddot": "\u0308",
    }
)
DOUBLE = _table("CHNPQRZE", "ℂℍℕℙℚℝℤ𝔼")
CURLY = _table("BEFHILMRO", "ℬℰℱℋℐℒℳℛ𝒪")
UP = _table(*_UP)
DOWN = _table(*_DOWN)
