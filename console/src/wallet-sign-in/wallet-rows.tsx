/** Rows that link a wallet of this browser to the account. */
import { Button } from '../components/button.tsx';
import { showToast } from '../components/toaster.tsx';
import { useTranslation } from '../i18n/index.ts';
import { Row } from '../security/row.tsx';
import type { Change } from '../security/use-security-mutation.ts';
import { type Wallet, WalletDeclined } from './detect-wallets.ts';
import { linkWallet } from './link-wallet.ts';

interface Props {
  readonly wallets: readonly Wallet[];
  readonly change: Change;
}

export function WalletRows({ wallets, change }: Props) {
  const { t } = useTranslation('security');
  const link = (wallet: Wallet): void =>
    change.run(
      async () => {
        try {
          await linkWallet(wallet);
          return t('walletLinked');
        } catch (error) {
          if (!(error instanceof WalletDeclined)) throw error;
          return t('walletDeclined');
        }
      },
      (text) => showToast(text),
    );
  return wallets.map((wallet) => (
    <Row
      key={wallet.id}
      icon="wallet"
      title={wallet.name}
      lead={t('linkWalletLead')}
      action={
        <Button
          variant="default"
          size="sm"
          aria-label={t('linkWalletName', { name: wallet.name })}
          isBusy={change.isPending}
          onClick={() => link(wallet)}
        >
          {t('link')}
        </Button>
      }
    />
  ));
}
