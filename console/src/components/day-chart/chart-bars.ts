/** The geometry of a chart by day: shares of its height, for drawing only. */
import { scaleLinear } from 'd3-scale';

/** A day of the chart. */
export interface ChartDay {
  /** UTC day. */
  readonly date: string;
  /** The sum of its parts. */
  readonly amount: string;
  readonly parts: readonly { readonly name: string; readonly amount: string }[];
}

/** A part of a bar, from the bottom of the chart in percent of its height. */
export interface BarPart {
  readonly name: string;
  readonly bottom: number;
  readonly height: number;
  readonly isNegative: boolean;
}

export interface Bars {
  /** Values at the gridlines, with their place from the bottom in percent. */
  readonly ticks: readonly { readonly value: number; readonly bottom: number }[];
  /** The parts of each day's bar. */
  readonly days: readonly (readonly BarPart[])[];
  /** Totals of the period before, from the bottom in percent. */
  readonly before: readonly number[];
}

const TICKS = 4;

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function valuesOf({ parts }: ChartDay): readonly (readonly [string, number])[] {
  return parts.map(({ name, amount }) => [name, Number(amount)]);
}

/** Stacks the parts of each day: positive ones upwards from zero, negative ones downwards. */
export function stackBars(days: readonly ChartDay[], daysBefore: readonly ChartDay[]): Bars {
  const values = days.map(valuesOf);
  const totalsBefore = daysBefore.map(({ amount }) => Number(amount));
  const sumsOf = (sign: 1 | -1): readonly number[] =>
    values.map((parts) => sumOf(parts.map(([, value]) => Math.max(0, value * sign))));
  const scale = scaleLinear()
    .domain([-Math.max(0, ...sumsOf(-1)), Math.max(0, ...sumsOf(1), ...totalsBefore)])
    .nice(TICKS)
    .range([0, 100]);
  const zero = scale(0);
  const stackDay = (parts: (typeof values)[number]): BarPart[] => {
    let [top, bottom] = [zero, zero];
    return parts
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => {
        const height = Math.abs(scale(value) - zero);
        const isNegative = value < 0;
        if (isNegative) bottom -= height;
        const part = { name, height, isNegative, bottom: isNegative ? bottom : top };
        if (!isNegative) top += height;
        return part;
      });
  };
  return {
    ticks: scale.ticks(TICKS).map((value) => ({ value, bottom: scale(value) })),
    days: values.map(stackDay),
    before: totalsBefore.map((value) => scale(value)),
  };
}
