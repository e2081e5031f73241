import { CONSOLE_ADDRESS } from '../api/http.ts';
import { useTranslation } from '../i18n/index.ts';
import { Heading } from '../parts/heading.tsx';
import { Text } from '../parts/text.tsx';
import classes from './sign-in.module.css';

/** Nothing waits for an answer here: the ways on. */
export function RequestOver({ title, children }: { readonly title: string; readonly children: string }) {
  const { t } = useTranslation('signIn');
  return (
    <>
      <Heading className={classes.title}>{title}</Heading>
      <Text className={classes.lead}>{children}</Text>
      <div className={classes.footer}>
        <a href={CONSOLE_ADDRESS}>{t('goHome')}</a>
      </div>
    </>
  );
}
