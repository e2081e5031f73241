import { expect, test } from 'vitest';
import * as en from './en/sign-in.ts';
import { leadsToText } from './redirect-target-text.ts';
import { createTranslate } from './translate.ts';

const t = createTranslate({ signIn: en.signIn }, 'en', 'signIn');
const BACK = 'Afterwards you go back to the program on this device.';

test.each([
  'http://127.0.0.1/edge-extension',
  'http://127.8.0.1:4711/x',
  'http://[::1]:80/',
  'http://localhost:3000/cb',
  'http://app.localhost/',
  'edge-app://back',
  'com.example:/x',
])('%s is on this device', (uri) => expect(leadsToText(t, uri)).toBe(BACK));

test.each([
  ['https://weather.example/back', 'weather.example'],
  ['https://weather.example:8443/back', 'weather.example:8443'],
  ['https://localhost.example/', 'localhost.example'],
  ['https://127.0.0.1.example/', '127.0.0.1.example'],
])('%s is a host, which is named', (uri, host) =>
  expect(leadsToText(t, uri)).toBe(`Afterwards you go to ${host}.`),
);
