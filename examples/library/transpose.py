"""Transposes a NumPy matrix: the library from Python, arrays as memory. transpose.py [LIBRARY]"""
import ctypes as c
import sys

import numpy as np


class Transfer(c.Structure):
    _fields_ = [("size", c.c_uint32), ("elem", c.c_int32), ("base", c.c_uint64), ("offset", c.c_uint64),
                ("count", c.c_uint32 * 4), ("stride", c.c_int64 * 4), ("start", c.c_int32 * 4),
                ("bounded", c.c_int32 * 4), ("bound", c.c_uint32 * 4), ("walk", c.c_int32 * 16),
                ("has_length", c.c_int32), ("length", c.c_uint32), ("fill", c.c_uint64),
                ("last_rule", c.c_int32), ("last_level", c.c_int32), ("join_next", c.c_int32),
                ("task_end", c.c_int32), ("finish", c.c_int32)]


lib = c.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libtessera_sim.so")
lib.tessera_create.restype = sim_type = c.c_void_p
lib.tessera_error.restype = c.c_char_p
sim = sim_type(lib.tessera_create(None))


def call(name, *arguments):
    if getattr(lib, "tessera_" + name)(sim, *arguments) != 0:
        sys.exit(lib.tessera_error(sim).decode())


matrix = np.arange(12, dtype=np.int32).reshape(3, 4)
call("attach_buffer", c.c_uint64(0x1000), matrix.ctypes, c.c_size_t(matrix.nbytes))
t = Transfer()
lib.tessera_transfer_init(c.byref(t))
t.elem, t.base, t.count[:2], t.stride[:2] = 4, 0x1000, (3, 4), (16, 4)
call("queue", 0, c.byref(t), None)
call("run")
turned = np.zeros((4, 3), dtype=np.int32)
call("receive", turned.ctypes, c.c_size_t(turned.nbytes), None)
print(turned)
sys.exit(0 if (turned == matrix.T).all() else "not what NumPy says")
