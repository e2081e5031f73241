/** Server-sent events out of their text. */

export interface LiveEvent {
  readonly id: string;
  readonly type: string;
  /** As it came: most readers need the type only. */
  readonly data: string;
}

/** Splits a stream of text into its events; keeps the unfinished rest. */
export function createEventParser(onEvent: (event: LiveEvent) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    rest = (rest + chunk).replaceAll('\r\n', '\n');
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 2);
      const read = (field: string): string =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).trimStart())
          .join('\n');
      if (lines.some((line) => line.startsWith('data:') || line.startsWith('event:')))
        onEvent({ id: read('id'), type: read('event') || 'message', data: read('data') });
    }
  };
}
