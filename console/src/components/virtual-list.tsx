import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useRovingRows } from '../hooks/use-roving-tabindex.ts';
import { offsetOf, type RowHeights, rowAt, withMeasured } from './row-heights.ts';
import classes from './windowed-list.module.css';

interface Range {
  readonly first: number;
  readonly last: number;
}

interface Props {
  readonly label: string;
  readonly total: number;
  /** In pixels, for letters of the usual size; a row of which the content needs more has more. */
  readonly rowHeight: number;
  /** Cards with room between them, rather than lines. */
  readonly isOfCards?: boolean;
  /**
   * What a row is about: it stays the same row wherever it moves, with what is typed in it and the
   * focus. Undefined while not known.
   */
  readonly keyOf: (index: number) => string | number | undefined;
  readonly renderRow: (index: number) => ReactNode;
  /** Called a moment after the visible rows have changed. */
  readonly onRange: (range: Range) => void;
}

/** Rows kept ready above and below the screen. */
const OVERSCAN = 8;
const SETTLE_MS = 90;

function findRange(list: HTMLElement, total: number, heights: RowHeights): Range {
  const { top } = list.getBoundingClientRect();
  const first = rowAt(heights, -top) - OVERSCAN;
  const last = rowAt(heights, window.innerHeight - top) + 1 + OVERSCAN;
  return { first: Math.max(0, first), last: Math.min(total - 1, Math.max(last, OVERSCAN)) };
}

interface Row {
  readonly index: number;
  readonly key: string | number;
}

/** The rows of a range, and one that must exist beside it. */
function listIndexes({ first, last }: Range, held: number | undefined): number[] {
  const near = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (held === undefined || (held >= first && held <= last)) return near;
  return held < first ? [held, ...near] : [...near, held];
}

/**
 * What stands in two places, because a page was read before it moved and the next one after, is
 * identified by their place.
 */
function listRows(indexes: readonly number[], keyOf: Props['keyOf']): Row[] {
  const seen = new Set<string | number>();
  return indexes.map((index) => {
    const own = keyOf(index);
    const key = own === undefined || seen.has(own) ? `at-${index}` : own;
    seen.add(key);
    return { index, key };
  });
}

const TEXT_LARGE = 1.5;
/** Of letters that large, less stands beside each other. */
const LINES_MORE = 1.35;

/** How much taller rows are for the letters that the reader wants. */
function readRowScale(): number {
  const textScale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return textScale < TEXT_LARGE ? textScale : textScale * LINES_MORE;
}

/**
 * How tall rows are, as far as they have been seen. What changes within one, or all of them, is
 * seen too.
 */
function useRowHeights(list: RefObject<HTMLElement | null>, plain: number): RowHeights {
  const [heights, setHeights] = useState<RowHeights>({ usual: plain, more: new Map() });
  const [known, setKnown] = useState(plain);
  if (plain !== known) {
    setKnown(plain);
    setHeights({ usual: plain, more: new Map() });
  }
  const measure = useCallback((): void => {
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    const measured = new Map(rows.map((row) => [Number(row.ariaPosInSet) - 1, row.offsetHeight]));
    setHeights((before) => withMeasured(before, measured));
  }, [list]);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    for (const row of list.current?.children ?? []) observer.observe(row);
    return () => observer.disconnect();
  });
  return heights;
}

/** The rows of a range that are on the screen. */
function withoutOverscan({ first, last }: Range, total: number): Range {
  return {
    first: first === 0 ? 0 : first + OVERSCAN,
    last: last === total - 1 ? last : last - OVERSCAN,
  };
}

/** Calls `update` once a frame while the page scrolls or changes its size. */
function useOnScroll(update: () => void): void {
  useEffect(() => {
    let frame = 0;
    const schedule = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    window.addEventListener('scroll', schedule, { passive: true });
    window.addEventListener('resize', schedule);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', schedule);
      window.removeEventListener('resize', schedule);
    };
  }, [update]);
}

/** The rows to render while the page scrolls; `onRange` hears of them once it rests. */
function useRange(
  ref: RefObject<HTMLElement | null>,
  total: number,
  heights: RowHeights,
  onRange: Props['onRange'],
): Range {
  const [range, setRange] = useState<Range>({ first: 0, last: Math.min(total - 1, 2 * OVERSCAN) });
  const update = useCallback(() => {
    const list = ref.current;
    if (!list) return;
    const next = findRange(list, total, heights);
    setRange((before) =>
      before.first === next.first && before.last === next.last ? before : next,
    );
  }, [ref, total, heights]);
  useLayoutEffect(update, [update]);
  useOnScroll(update);
  useEffect(() => {
    const timer = setTimeout(() => onRange(range), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [range, onRange]);
  return range;
}

/** A list of any length that renders the visible rows only. The page itself scrolls. */
export function WindowedList({
  label,
  total,
  rowHeight: plainHeight,
  isOfCards,
  keyOf,
  renderRow,
  onRange,
}: Props) {
  const [scale] = useState(readRowScale);
  const ref = useRef<HTMLUListElement>(null);
  const heights = useRowHeights(ref, Math.round(plainHeight * scale));
  const range = useRange(ref, total, heights, onRange);
  const last = Math.min(range.last, total - 1);
  const visible = withoutOverscan({ first: range.first, last }, total);
  const { held, handlers } = useRovingRows(ref, total, visible);
  const rows = listRows(
    listIndexes(
      { first: range.first, last },
      held !== undefined && held < total ? held : undefined,
    ),
    keyOf,
  );
  return (
    <ul
      ref={ref}
      className={classes.list}
      aria-label={label}
      data-cards={isOfCards}
      style={{ height: offsetOf(heights, total) }}
      {...handlers}
    >
      {rows.map(({ index, key }) => (
        <li
          key={key}
          className={classes.row}
          aria-setsize={total}
          aria-posinset={index + 1}
          style={{
            minHeight: heights.usual,
            transform: `translateY(${offsetOf(heights, index)}px)`,
          }}
        >
          {renderRow(index)}
        </li>
      ))}
    </ul>
  );
}
