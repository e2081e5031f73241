/** The geometry of the earnings chart: shares of its height, for drawing only. */
import { scaleLinear } from 'd3-scale';
import type { EarningPoint } from './queries.ts';

/** A part of a bar, from the bottom of the chart in percent of its height. */
export interface BarPart {
  readonly rewardType: string;
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

function valuesOf(point: EarningPoint): readonly (readonly [string, number])[] {
  return point.by_reward_type.map(({ reward_type, amount }) => [reward_type, Number(amount)]);
}

/** Stacks the reward types of each day: earnings upwards from zero, deductions downwards. */
export function stackBars(
  points: readonly EarningPoint[],
  pointsBefore: readonly EarningPoint[],
): Bars {
  const values = points.map(valuesOf);
  const totalsBefore = pointsBefore.map(({ amount }) => Number(amount));
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
      .map(([rewardType, value]) => {
        const height = Math.abs(scale(value) - zero);
        const isNegative = value < 0;
        if (isNegative) bottom -= height;
        const part = { rewardType, height, isNegative, bottom: isNegative ? bottom : top };
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
