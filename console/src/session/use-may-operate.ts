import { useMe } from '../api/me.ts';
import { useSession } from './use-session.ts';

/**
 * Whether the user is an operator. The token says it from the sign-in on; the profile, which is
 * read anew when the window gets the focus, also of a right that was granted since.
 */
export function useMayOperate(): boolean {
  const session = useSession();
  const me = useMe().data;
  const isInToken = session.status === 'signed-in' && session.tokens.mayOperate;
  return isInToken || me?.may_operate === true;
}
