"""What lies on top of the chat looks alike: one border, one ground, one place."""

from __future__ import annotations

from textual.screen import ModalScreen, ScreenResultType


class Dialog(ModalScreen[ScreenResultType]):
    """The widget with the class ``box`` is the dialog. One that asks about something that can't be undone is a
    ``-warning`` as well."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        & > .box {
            width: 90%; max-width: 96; height: auto; max-height: 90%;
            border: round $primary; border-title-color: $text-primary; border-subtitle-color: $text-muted;
            background: $surface; padding: 0 1;
            &:focus { border: round $primary; }
        }
        & > .box.-warning { border: round $warning; border-title-color: $text-warning; }
    }
    Dialog.-tiny > .box { width: 100%; max-height: 100%; }
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-roomy")]  # noqa: RUF012 - Textual declares it so
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (10, "-high")]  # noqa: RUF012
