/** Saves the draft of the brand, unless another operator was faster. */
import { type Dispatch, type SetStateAction, useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { showToast } from '../../components/toaster.tsx';
import type { Submission } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { type Draft, findTooLong, isAccentWrong, toDraft, toOrder, withLogosOf } from './draft.ts';
import { type BrandVersion, putBrand, readBrand } from './queries.ts';
import { showSaved } from './show-saved.ts';

export interface DraftState {
  readonly draft: Draft;
  readonly setDraft: Dispatch<SetStateAction<Draft>>;
  /** Of the version that the draft was made of. */
  readonly etag: string | undefined;
  readonly setEtag: (etag: string | undefined) => void;
}

export interface Saving {
  readonly submission: Submission;
  /** What another operator has saved meanwhile, until it is known what becomes of the draft. */
  readonly theirs: BrandVersion | undefined;
  save(): void;
  /** Gives the draft up for what the other one has saved. */
  loadTheirs(): void;
  /** Replaces what the other one has saved. */
  overwrite(): void;
}

export function useSaving({ draft, setDraft, etag, setEtag }: DraftState): Saving {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [theirs, setTheirs] = useState<BrandVersion>();
  const adopt = ({ settings, etag: next }: BrandVersion): void => {
    setTheirs(undefined);
    setDraft(toDraft(settings));
    setEtag(next);
  };
  const put = async (expected: string | undefined): Promise<void> => {
    try {
      const saved = await putBrand(toOrder(draft), expected);
      setTheirs(undefined);
      setEtag(saved.etag);
      // What was typed while it was saved stays.
      setDraft((current) => (current === draft ? toDraft(saved.settings) : current));
      showSaved(saved.settings);
      showToast(t('brand.saved'));
    } catch (error) {
      if (!isProblem(error, 'precondition_failed')) throw error;
      const found = await readBrand();
      setTheirs(found);
      // Logos that were not chosen here are not sent: they stay theirs.
      setDraft((current) => withLogosOf(found.settings, current));
    }
  };
  const run = (expected: string | undefined): void => {
    const tooLong = Object.entries(findTooLong(draft)).map(
      ([field, count]) => [field, t('brand.limit', { count })] as const,
    );
    if (isAccentWrong(draft)) operation.refuse({ accent: t('brand.accentInvalid') });
    else if (tooLong.length > 0) operation.refuse(Object.fromEntries(tooLong));
    else operation.run(() => put(expected));
  };
  return {
    submission: operation,
    theirs,
    save: () => run(etag),
    loadTheirs: () => {
      operation.setMessage('');
      if (theirs) adopt(theirs);
    },
    overwrite: () => run(theirs?.etag),
  };
}
