import { Button } from './button.tsx';
import { fetchMore, type PagedQuery } from './fetch-more.ts';

interface Props {
  readonly query: PagedQuery & { readonly isFetchingNextPage: boolean };
  readonly label: string;
}

/** Fetches the next page of a list. */
export function MoreButton({ query, label }: Props) {
  return (
    <Button
      variant="default"
      isBusy={query.isFetchingNextPage}
      onClick={() => void fetchMore(query)}
    >
      {label}
    </Button>
  );
}
