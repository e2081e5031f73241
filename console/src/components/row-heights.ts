/** Where the rows of a long list stand: all are of one height, but for those that need more. */

export interface RowHeights {
  readonly usual: number;
  /** How much more than that, by the row's place. */
  readonly more: ReadonlyMap<number, number>;
}

/** Where a row begins; that of the row after the last one is where the list ends. */
export function offsetOf({ usual, more }: RowHeights, index: number): number {
  let offset = index * usual;
  for (const [at, extra] of more) if (at < index) offset += extra;
  return offset;
}

/** The row that is found at an offset. */
export function rowAt(heights: RowHeights, offset: number): number {
  let index = Math.floor(Math.max(0, offset) / heights.usual);
  while (index > 0 && offsetOf(heights, index) > offset) index--;
  return index;
}

/** The heights of other rows do not follow from one. */
const ROWS_ENOUGH = 2;

/**
 * What is known after some rows were looked at. Where every one of them needs more, the others do,
 * too.
 */
export function withMeasured(
  heights: RowHeights,
  measured: ReadonlyMap<number, number>,
): RowHeights {
  const usual =
    measured.size < ROWS_ENOUGH
      ? heights.usual
      : Math.max(heights.usual, Math.min(...measured.values()));
  const before = [...heights.more].map(([at, extra]) => [at, heights.usual + extra] as const);
  const tall = [...new Map([...before, ...measured])].filter(([, height]) => height > usual);
  const more = new Map(tall.map(([at, height]) => [at, height - usual]));
  const isSame =
    usual === heights.usual &&
    more.size === heights.more.size &&
    [...more].every(([at, extra]) => heights.more.get(at) === extra);
  return isSame ? heights : { usual, more };
}
