"""Changes settings of this machine that a study asks for (knobs, one file each), and restores them on every
exit.

`with Knobs() as knobs, knobs.turned({"block.scheduler": "none"}, data_dir): …`
"""
