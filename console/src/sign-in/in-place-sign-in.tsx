import { SignInFlow, type SignInFlowProps } from './sign-in-flow.tsx';
import { SignInLayout } from './sign-in-layout.tsx';

/** The sign-in within the console: no page is left, so the flow stays in memory. */
export function InPlaceSignIn(props: SignInFlowProps) {
  return (
    <SignInLayout>
      <SignInFlow {...props} />
    </SignInLayout>
  );
}
