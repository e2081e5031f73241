/** Which days of a chart have a label below them. */
type Room = 'any' | 'some' | 'much' | 'some-only';

interface Label {
  /** Its place among the days. */
  readonly day: number;
  /** Where it is shown: `some` also where there is much, `some-only` not there. */
  readonly room: Room;
}

/** Labels where there is some room, and where there is much. */
const SOME = 4;
const MUCH = 7;

/** The first, the last, and others between at equal distances. */
function spread(days: number, most: number): ReadonlySet<number> {
  const count = Math.min(days, most);
  const at = (n: number): number => (count === 1 ? 0 : Math.round((n * (days - 1)) / (count - 1)));
  return new Set(Array.from({ length: count }, (_, n) => at(n)));
}

/** The first and the last day have one everywhere. */
export function labelDays(days: number): readonly Label[] {
  const [some, much] = [spread(days, SOME), spread(days, MUCH)];
  const roomOf = (day: number): Room => {
    if (day === 0 || day === days - 1) return 'any';
    if (!much.has(day)) return 'some-only';
    return some.has(day) ? 'some' : 'much';
  };
  return [...new Set([...some, ...much])]
    .sort((one, other) => one - other)
    .map((day) => ({ day, room: roomOf(day) }));
}
