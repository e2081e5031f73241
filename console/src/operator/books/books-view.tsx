import { useQuery } from '@tanstack/react-query';
import { useCurrencies } from '../../api/currencies.ts';
import { JournalSection, LedgerSection } from '../ledger-section.tsx';
import { headsQuery, houseQuery } from '../queries.ts';
import { Together } from '../together.tsx';
import { BooksSection } from '../trial-balance-section.tsx';
import { CurrenciesSection } from './currencies-section.tsx';
import { walletKindsQuery } from './queries.ts';
import { WalletKindsSection } from './wallet-kinds.tsx';

/** The books: balances, signed heads, and what they are kept in. */
export function BooksView() {
  const house = useQuery(houseQuery);
  const heads = useQuery(headsQuery);
  const kinds = useQuery(walletKindsQuery);
  const currencies = useCurrencies();
  return (
    <Together queries={[house, heads, kinds, currencies]}>
      <BooksSection />
      <LedgerSection />
      <JournalSection />
      <WalletKindsSection />
      <CurrenciesSection />
    </Together>
  );
}
