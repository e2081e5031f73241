import { Amount } from './amount.tsx';

/** Stands for the amount while the sentence is put together: an object in a text (U+FFFC). */
export const AMOUNT = '\uFFFC';

interface Props {
  /** Exact decimal text. */
  readonly value: string;
  readonly currency: string;
  /** With `AMOUNT` where the amount belongs. */
  readonly text: string;
}

/** A sentence with an amount in it, which is readable as everywhere, and exact after a tap. */
export function AmountInText({ text, ...amount }: Props) {
  const [before = '', after = ''] = text.split(AMOUNT);
  return (
    <>
      {before}
      <Amount {...amount} />
      {after}
    </>
  );
}
