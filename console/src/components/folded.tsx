/** Settings that are rarely needed, out of sight until they are. */
import { type ReactNode, use, useLayoutEffect, useRef } from 'react';
import { FieldProblems } from './field-frame.tsx';
import classes from './folded.module.css';

interface Props {
  readonly label: string;
  readonly children: ReactNode;
}

/** Opens by itself when a field in it is wrong: the form leads the focus there. */
export function Folded({ label, children }: Props) {
  const ref = useRef<HTMLDetailsElement>(null);
  const problems = use(FieldProblems);
  useLayoutEffect(() => {
    const names = Object.keys(problems);
    const isHere = ({ name = '' }: { readonly name?: string }) => names.includes(name);
    const fields = ref.current?.querySelectorAll<HTMLInputElement>('[name]') ?? [];
    if (ref.current && [...fields].some(isHere)) ref.current.open = true;
  }, [problems]);
  return (
    <details ref={ref} className={classes.folded}>
      <summary>{label}</summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
}
