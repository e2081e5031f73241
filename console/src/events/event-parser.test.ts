import { expect, test } from 'vitest';
import { createEventParser, type LiveEvent } from './event-parser.ts';

test('events arrive whole, however the stream is cut', () => {
  const stream =
    ': hello\n\nid: 1\nevent: device.online\ndata: {"a":1}\n\nid: 2\r\nevent: reward.posted\r\ndata: {}\r\n\r\n: ping\n\ndata: x\n\n';
  for (let size = 1; size <= stream.length; size++) {
    const seen: LiveEvent[] = [];
    const parse = createEventParser((event) => seen.push(event));
    // A pair of line ends may be cut apart as well; the parser must not depend on where.
    for (let at = 0; at < stream.length; at += size) parse(stream.slice(at, at + size));
    expect(seen).toEqual([
      { id: '1', type: 'device.online', data: '{"a":1}' },
      { id: '2', type: 'reward.posted', data: '{}' },
      { id: '', type: 'message', data: 'x' },
    ]);
  }
});
