// Stands before the FST library of Verilator (the compiler's option -include): its files are
// opened, mapped and closed by functions that remember errors, and its helper files lie in memory,
// where no disk fills under a mapping.
#pragma once

#ifdef __cplusplus
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

extern "C" {
FILE* tessera_wave_open(const char* name, const char* mode);
FILE* tessera_wave_helper();
int tessera_wave_close(FILE* file);
int tessera_wave_flush(FILE* file);
size_t tessera_wave_write(const void* bytes, size_t size, size_t count, FILE* file);
void* tessera_wave_map(void* address, size_t length, int protection, int flags, int fd,
                       off_t offset);
}
#define fopen tessera_wave_open
#define tmpfile tessera_wave_helper
#define fclose tessera_wave_close
#define fflush tessera_wave_flush
#define fwrite tessera_wave_write
#define mmap tessera_wave_map
#endif
