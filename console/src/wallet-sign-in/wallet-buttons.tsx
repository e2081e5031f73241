/** Sign-in with a wallet of this browser. Nothing is shown where there is none. */
import { Button } from '../components/button.tsx';
import { Failure } from '../components/form.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from '../sign-in/sign-in.module.css';
import { useWallets, type Wallet, WalletDeclined } from './detect-wallets.ts';
import { signInByWallet, type WalletResult } from './sign-in-by-wallet.ts';

interface Props {
  readonly onResult: (result: WalletResult) => void;
}

export function WalletButtons({ onResult }: Props) {
  const { t } = useTranslation('signIn');
  const wallets = useWallets();
  const submission = useSubmission();
  if (wallets.length === 0) return null;
  const signIn = async (wallet: Wallet): Promise<void> => {
    try {
      onResult(await signInByWallet(wallet));
    } catch (error) {
      if (!(error instanceof WalletDeclined)) throw error;
      submission.setMessage(t('wallet.declined'));
    }
  };
  return (
    <div className={classes.upstream}>
      <p className={classes.or}>{t('wallet.or')}</p>
      {submission.message !== '' && <Failure>{submission.message}</Failure>}
      {wallets.map((wallet) => (
        <Button
          key={wallet.id}
          variant="default"
          size="lg"
          isWide
          disabled={submission.isPending}
          onClick={() => submission.submit(() => signIn(wallet))}
        >
          {t('wallet.continueWith', { name: wallet.name })}
        </Button>
      ))}
    </div>
  );
}
