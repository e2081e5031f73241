import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type Me, useMe } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { Email } from '../components/email.tsx';
import { Icon } from '../components/icon.tsx';
import { LanguageSelect, ThemeToggle } from '../components/preferences.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { initialOf } from '../lib/initial-of.ts';
import { signOutHere } from '../notifications/this-browser.ts';
import { useBrand } from '../theme/brand.ts';
import classes from './account-menu.module.css';

const ID = 'account-menu';

interface MenuProps {
  readonly me: Me | undefined;
  readonly onLeave: () => void;
}

function Menu({ me, onLeave }: MenuProps) {
  const { t } = useTranslation('shell');
  const leaving = useSubmission();
  const { support_url: support } = useBrand();
  return (
    <>
      <p className={classes.who}>
        <strong>{me?.nickname}</strong>
        {me && (
          <span>
            <Email address={me.email} />
          </span>
        )}
      </p>
      <Link to="/security" className={classes.item} onClick={onLeave}>
        <Icon name="shield" size={18} />
        {t('profile')}
      </Link>
      {support !== undefined && (
        <a href={support} rel="noreferrer" className={classes.item} onClick={onLeave}>
          <Icon name="help" size={18} />
          {t('signIn:help')}
        </a>
      )}
      <div className={classes.item}>
        <LanguageSelect />
        <ThemeToggle />
      </div>
      {leaving.message !== '' && <p role="alert">{leaving.message}</p>}
      <Button
        variant="default"
        size="sm"
        icon="out"
        isWide
        isBusy={leaving.isPending}
        disabled={!me}
        onClick={() => me && leaving.submit(() => signOutHere(me.user_id))}
      >
        {t('signOut')}
      </Button>
    </>
  );
}

/** Who is signed in, and what concerns the account as a whole. */
export function AccountMenu() {
  const { t } = useTranslation('shell');
  const me = useMe().data;
  const menu = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const nickname = me?.nickname ?? '';
  return (
    <>
      <button
        type="button"
        className={classes.avatar}
        popoverTarget={ID}
        aria-label={nickname === '' ? t('account') : t('accountOf', { nickname })}
      >
        {initialOf(nickname) || <Icon name="user" />}
      </button>
      <section
        id={ID}
        ref={menu}
        popover="auto"
        className={classes.menu}
        aria-label={t('account')}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && <Menu me={me} onLeave={() => menu.current?.hidePopover()} />}
      </section>
    </>
  );
}
