/** The device that a token is bound to, where the token does not name it. */
import type { Principal } from '../../http/index.ts';

/** The node that a token, or another of its grant, was bound to at its registration. */
export type FindBoundNode = (
  token: Pick<Principal, 'jti' | 'grantId'>,
) => Promise<string | undefined>;

/** Only tokens with this scope register a device. */
const REGISTERS = 'device:connect';

/**
 * Tokens from before the registration of their device do not name it. They are looked up on each
 * request until they are bound: another instance may have bound them a moment ago.
 */
export function isBindingUnknown({ tokenUse, nodeId, scopes }: Principal): boolean {
  return tokenUse === 'device' && nodeId === undefined && scopes.has(REGISTERS);
}

/** The caller with the node that its token is bound to. */
export async function withBoundNode(
  principal: Principal,
  findBoundNode: FindBoundNode,
): Promise<Principal> {
  if (!isBindingUnknown(principal)) return principal;
  const nodeId = await findBoundNode(principal);
  return nodeId === undefined ? principal : { ...principal, nodeId };
}
