import { CONSOLE_ADDRESS } from '../api/client.ts';
import { Heading } from '../components/heading.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './sign-in.module.css';

/** Nothing waits for an answer here: the ways on. */
export function RequestOver({
  title,
  children,
}: {
  readonly title: string;
  readonly children: string;
}) {
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
