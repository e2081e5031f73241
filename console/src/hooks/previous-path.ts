/** Which pages the entries of this tab's history are about, as far as they were seen since the page was loaded. */
import type { RouterHistory } from '@tanstack/react-router';

const paths = new Map<number, string>();

export function followPaths(history: RouterHistory): () => void {
  const note = (): void =>
    void paths.set(history.location.state.__TSR_index, history.location.pathname);
  note();
  return history.subscribe(note);
}

/** The page that the browser's "back" leads to, where it is known. */
export function pathBefore({ location: { state } }: RouterHistory): string | undefined {
  return paths.get(state.__TSR_index - 1);
}
