import type { Translate } from './translate.ts';

/** A scope in words; a scope without words of ours shows the service's. */
export function scopeText(t: Pick<Translate, 'find'>, scope: string, description = scope): string {
  return t.find('signIn', `scope.${scope.replaceAll(':', '_')}`) ?? description;
}
