/* CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, not reflected. */
#ifndef CUTCARD_CRC16_H
#define CUTCARD_CRC16_H

#include <stddef.h>
#include <stdint.h>

uint16_t crc16(const uint8_t *data, size_t size);

#endif
