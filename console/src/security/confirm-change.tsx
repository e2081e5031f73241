import { Confirm } from '../components/sheet.tsx';
import type { Change } from './use-security-mutation.ts';

interface Props {
  readonly title: string;
  /** What follows from it. */
  readonly lead: string;
  readonly confirmLabel: string;
  readonly change: Change;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a change of the account's safety that cannot be taken back. */
export function ConfirmChange({ title, lead, confirmLabel, change, onConfirm, onClose }: Props) {
  return (
    <Confirm
      title={title}
      onClose={onClose}
      confirmLabel={confirmLabel}
      isDanger
      outcome={change}
      onConfirm={onConfirm}
    >
      <p>{lead}</p>
    </Confirm>
  );
}
