"""Pages over results folders, for a browser: served from this machine, or written as files.

`serve` and `serve_in_turns` answer until they are told to stop; `build_site` writes the same pages into a
folder. Only this room imports starlette and uvicorn.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.web.app import make_app
    from assay.front.web.serving import Listening, serve, serve_in_turns
    from assay.front.web.site import Site
    from assay.front.web.static_site import Built, Depth, build_site
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Built",
    "Depth",
    "Listening",
    "Site",
    "build_site",
    "make_app",
    "serve",
    "serve_in_turns",
]
