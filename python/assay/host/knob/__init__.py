"""Settings of this machine that a study may change: one file each, put back on every way out.

`with Knobs() as knobs, knobs.turned({"block.scheduler": "none"}, data_dir): …`
"""
