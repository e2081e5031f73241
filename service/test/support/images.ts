/** Small images. */
import { crc32, deflateSync } from 'node:zlib';

function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG in one colour; its header can state any size, pixels stand for at most 256 in a side. */
export function pngOf(width: number, height: number, color = 0x1f_6f_eb): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const pixel = [color >> 16, (color >> 8) & 255, color & 255];
  const row = [0, ...Array.from({ length: Math.min(width, 256) }, () => pixel).flat()];
  const rows = Array.from({ length: Math.min(height, 256) }, () => row).flat();
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(Buffer.from(rows))),
    chunkOf('IEND', Buffer.of()),
  ]);
}
