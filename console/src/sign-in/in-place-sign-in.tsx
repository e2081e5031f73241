import { Entrance } from './entrance.tsx';
import { SignInFlow, type SignInFlowProps } from './sign-in-flow.tsx';

/** The sign-in within the console: no page is left, so the flow stays in memory. */
export function InPlaceSignIn(props: SignInFlowProps) {
  return (
    <Entrance>
      <SignInFlow {...props} />
    </Entrance>
  );
}
