/** Short confirmations that pass by, read aloud by screen readers. */
import { useSyncExternalStore } from 'react';
import classes from './toaster.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 5000;

let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a sentence for a few seconds. */
export function showToast(text: string): void {
  const toast = { id: ++count, text };
  set([...toasts, toast]);
  setTimeout(() => set(toasts.filter((entry) => entry !== toast)), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={classes.toaster} role="status">
      {shown.map((toast) => (
        <div key={toast.id} className={classes.toast}>
          {toast.text}
        </div>
      ))}
    </div>
  );
}
