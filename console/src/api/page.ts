/** The service's page envelope. */
export interface PageOf<T> {
  readonly records: readonly T[];
  readonly total: number;
  readonly size: number;
  readonly current: number;
  readonly pages: number;
}

/** The most that the service gives on one page. */
export const PAGE_SIZE = 20;
