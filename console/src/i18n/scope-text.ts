import type { TFunction } from 'i18next';

/** A scope in words; a scope without words of ours shows the service's. */
export function scopeText(t: TFunction<'signIn'>, scope: string, description = scope): string {
  return t(`scope.${scope.replaceAll(':', '_')}` as 'scope.openid', { defaultValue: description });
}
