/** What a chart is about. */
export interface ChartWords {
  /** The chart as a whole. */
  readonly label: string;
  /** Instead of a chart without amounts. */
  readonly none: string;
  /** Of all amounts. */
  readonly unit: string;
  textOf(part: string): string;
  /** The colour of a part, by its number in the style sheet. */
  colorOf(part: string): number;
}
