/**
 * Part of `npm run check`: lints the OpenAPI document by the strictest rules of Redocly and by
 * Spectral's; every finding fails, warnings included.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { renderDocument } from './render-document.ts';

/** A public address: the rules refuse that of a development service. */
const ADDRESS = 'https://account.edge.test';

async function lintByRedocly(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ ruleId, message, location: [place] }) =>
      `${place?.pointer ?? ''} ${message} (redocly ${ruleId})`,
  );
}

async function lintBySpectral(text: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  // The package declares its rules wider than the ruleset type that it implements.
  spectral.setRuleset({ extends: spectralRulesets.oas as RulesetDefinition });
  const problems = await spectral.run(text);
  return problems.map(
    ({ code, message, path }) => `#/${path.join('/')} ${message} (spectral ${code})`,
  );
}

/** What either linter finds. */
export async function lintDocument(document: object): Promise<string[]> {
  const text = JSON.stringify(document);
  return [...(await lintByRedocly(text)), ...(await lintBySpectral(text))];
}

if (import.meta.main) {
  const { text, baseUrl } = await renderDocument();
  const findings = await lintDocument(JSON.parse(text.replaceAll(baseUrl, ADDRESS)));
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
