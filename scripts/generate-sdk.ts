/**
 * Writes the SDK's types from the OpenAPI document of the service (`npm run sdk`); a test compares
 * the two.
 */
import { writeFileSync } from 'node:fs';
import { renderTypes } from '../sdk/generate-types.ts';
import { renderDocument } from './render-document.ts';

const TARGET = new URL('../sdk/src/generated/api.ts', import.meta.url);

/** The types of a service with the default configuration. */
export async function renderSdk(): Promise<string> {
  const { text } = await renderDocument();
  return renderTypes(JSON.parse(text));
}

if (import.meta.main) {
  writeFileSync(TARGET, await renderSdk());
  console.log('sdk/src/generated/api.ts is written.');
}
