/**
 * Authentication context class references: how strong a sign-in is, from its `amr`. A passkey
 * cannot be phished (`phr`, OpenID Connect EAP ACR Values); a code by email is no factor of its
 * own, because the password can be reset by email too (REFEDS MFA and SFA).
 */
export const ACR_VALUES = [
  'phr',
  'https://refeds.org/profile/mfa',
  'https://refeds.org/profile/sfa',
] as const;
export type Acr = (typeof ACR_VALUES)[number];

const PASSKEYS: ReadonlySet<string> = new Set(['hwk', 'swk']);

/** What a sign-in satisfies, strongest first. */
function satisfiedBy(amr: readonly string[]): readonly Acr[] {
  if (amr.some((method) => PASSKEYS.has(method))) return ACR_VALUES;
  return amr.includes('otp') ? ACR_VALUES.slice(1) : ACR_VALUES.slice(2);
}

/** What an authorization request asks of the sign-in. */
export interface RequestedAcr {
  /** In order of preference; empty: nothing. */
  readonly values: readonly string[];
  /** The request fails without one of them (OpenID Connect Core 5.5.1.1). */
  readonly isEssential: boolean;
}

interface AcrClaim {
  readonly essential?: boolean;
  readonly value?: unknown;
  readonly values?: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads `acr_values` and `claims`; the provider has checked their form. */
export function readRequestedAcr(params: Readonly<Record<string, unknown>>): RequestedAcr {
  const { acr_values, claims } = params;
  if (isText(acr_values) && acr_values !== '')
    return { values: acr_values.split(' ').filter((value) => value !== ''), isEssential: false };
  const parsed = isText(claims) ? (JSON.parse(claims) as { id_token?: { acr?: AcrClaim } }) : {};
  const { essential, value, values } = parsed.id_token?.acr ?? {};
  const listed: readonly unknown[] = Array.isArray(values) ? values : [value];
  return { values: listed.filter(isText), isEssential: essential === true };
}

/** The requested value that the sign-in satisfies; undefined: none. */
export function findSatisfied(
  { values }: RequestedAcr,
  amr: readonly string[],
): string | undefined {
  const satisfied: readonly string[] = satisfiedBy(amr);
  return values.find((value) => satisfied.includes(value));
}

/** The `acr` of an answer: what was requested, or else the strongest that is true. */
export function chooseAcr(requested: RequestedAcr, amr: readonly string[]): string {
  return findSatisfied(requested, amr) ?? satisfiedBy(amr)[0] ?? ACR_VALUES[2];
}

/** Whether a user with these second factors could satisfy the request by a new sign-in. */
export function couldSatisfy(requested: RequestedAcr, methods: readonly string[]): boolean {
  const amr = methods.includes('PASSKEY')
    ? ['hwk']
    : methods.includes('AUTHENTICATOR')
      ? ['otp']
      : [];
  return findSatisfied(requested, amr) !== undefined;
}
