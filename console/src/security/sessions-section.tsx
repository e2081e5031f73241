import { useQuery } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { programText, signInMethodText } from '../i18n/labels.ts';
import { shortDateTimeText } from '../lib/time-text.ts';
import { isHandheld } from '../lib/user-agent-text.ts';
import { endOtherSessions, endSession, type Session, sessionsQuery } from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { Row } from './row.tsx';
import classes from './security.module.css';
import { useChange } from './use-security-mutation.ts';

/** From where, how and when: each may be long. */
function SignedIn({ session }: { readonly session: Session }) {
  const { t } = useTranslation('security');
  return (
    <>
      {session.is_current && <strong>{t('thisOne')} · </strong>}
      {session.ip}
      <br />
      {signInMethodText(t, session.amr)}
      <br />
      <DateTime iso={session.created_at} isShort />
    </>
  );
}

/** Where one is signed in. */
export function SessionsSection({ proof }: { readonly proof: Proof }) {
  const { t, language } = useTranslation('security');
  const sessions = useQuery(sessionsQuery);
  const change = useChange(proof);
  const hasOthers = (sessions.data?.length ?? 0) > 1;
  return (
    <Section
      title={t('sessions')}
      actions={
        hasOthers && (
          <Button variant="default" size="sm" onClick={() => change.run(endOtherSessions)}>
            {t('endOthers')}
          </Button>
        )
      }
    >
      <QueryBoundary query={sessions} skeleton={<SkeletonLines count={2} height={56} />}>
        {(list) => (
          <ul className={classes.rows}>
            {list.map((session) => (
              <Row
                key={session.sid}
                icon={isHandheld(session.user_agent) ? 'phone' : 'device'}
                title={programText(t, session.user_agent) || t('unknownProgram')}
                lead={<SignedIn session={session} />}
                action={
                  !session.is_current && (
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t('endName', {
                        program: programText(t, session.user_agent) || t('unknownProgram'),
                        ip: session.ip,
                        time: shortDateTimeText(session.created_at, language),
                      })}
                      onClick={() => change.run(() => endSession(session.sid))}
                    >
                      {t('end')}
                    </Button>
                  )
                }
              />
            ))}
          </ul>
        )}
      </QueryBoundary>
      <Text role="alert" isFailure>
        {change.message}
      </Text>
    </Section>
  );
}
