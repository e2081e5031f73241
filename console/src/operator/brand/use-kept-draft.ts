/** The draft of the brand, kept while its page is left; to leave the document, one is asked. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Draft, toDraft, toOrder } from './draft.ts';
import type { BrandVersion } from './queries.ts';
import type { DraftState } from './use-saving.ts';

interface Kept {
  readonly draft: Draft;
  readonly etag: string | undefined;
}

/** Not among the operator queries, which are read anew after each change. */
const KEY = ['brand-draft'] as const;

interface KeptDraft extends DraftState {
  /** It is not what is saved. */
  readonly isChanged: boolean;
  discard(): void;
}

export function useKeptDraft(version: BrandVersion): KeptDraft {
  const client = useQueryClient();
  const [first] = useState<Kept>(
    () =>
      client.getQueryData<Kept>(KEY) ?? { draft: toDraft(version.settings), etag: version.etag },
  );
  const [draft, setDraft] = useState(first.draft);
  // Not of what is read anew meanwhile: the draft has nothing of it.
  const [etag, setEtag] = useState(first.etag);
  const saved = toDraft(version.settings);
  const isChanged = JSON.stringify(toOrder(draft)) !== JSON.stringify(toOrder(saved));
  useEffect(() => {
    client.setQueryDefaults(KEY, { gcTime: Number.POSITIVE_INFINITY });
    if (isChanged) client.setQueryData<Kept>(KEY, { draft, etag });
    else client.removeQueries({ queryKey: KEY });
  }, [client, draft, etag, isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
  const discard = (): void => {
    setDraft(saved);
    setEtag(version.etag);
  };
  return { draft, setDraft, etag, setEtag, isChanged, discard };
}
