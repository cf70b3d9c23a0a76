"""The docs site: pages of the repository laid out for a site generator, in English and in Chinese.

`python -m scripts.docs_site` builds it into target/site with Zensical. `docs/site/site.toml` has its
settings and its navigation.
"""
