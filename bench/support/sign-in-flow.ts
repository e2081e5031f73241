/** People who register and sign in for the first time, one step of all of them after the other. */
import { createHash, randomBytes } from 'node:crypto';
import { send } from './code-flow-client.ts';

/** Newer mails than these are not shown by the mailbox. */
export const PEOPLE_MAX = 100;
const CONCURRENCY = 8;

interface Person {
  readonly email: string;
  readonly password: string;
  ticket: string;
  code: string;
}

/** One step of the flow. */
export interface Step {
  readonly name: string;
  run(): Promise<void>;
  /** What a person does elsewhere afterwards: reads the mail. */
  after?(): Promise<void>;
}

async function post(url: string, body: object): Promise<Record<string, string>> {
  const answer = await send(
    'POST',
    url,
    { 'content-type': 'application/json' },
    JSON.stringify(body),
  );
  if (answer.status >= 300) throw new Error(`${url} was answered ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body) as Record<string, string>;
}

function newPerson(): Person {
  const name = randomBytes(8).toString('hex');
  const password = createHash('md5').update(`a password of ${name}`).digest('hex');
  return { email: `${name}@example.test`, password, ticket: '', code: '' };
}

/** Reads the newest mail of each from the development mailbox. */
async function readCodes(baseUrl: string, people: readonly Person[]): Promise<void> {
  const { body } = await send('GET', `${baseUrl}/dev/mail`, { accept: 'application/json' });
  const mails = JSON.parse(body) as { to: string; text: string }[];
  for (const person of people)
    person.code =
      /^\d{6}$/m.exec(mails.find(({ to }) => to === person.email)?.text ?? '')?.[0] ?? '';
}

/** The steps of a whole sign-up and sign-in of `count` new people, 8 at a time. */
export function createSignInSteps(baseUrl: string, count: number): Step[] {
  if (count > PEOPLE_MAX) throw new Error(`the mailbox shows ${PEOPLE_MAX} mails`);
  const people = Array.from({ length: count }, newPerson);
  const forAll = async (work: (person: Person) => Promise<void>): Promise<void> => {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let person = people[next++]; person; person = people[next++]) await work(person);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  };
  const after = () => readCodes(baseUrl, people);
  const step = (name: string, work: (person: Person) => Promise<void>): Step => ({
    name,
    run: () => forAll(work),
  });
  return [
    {
      ...step('register', async (person) => {
        const { email, password } = person;
        const answer = await post(`${baseUrl}/user/register`, {
          email,
          login_password: password,
          nickname: 'Someone',
        });
        person.ticket = answer.register_ticket ?? '';
      }),
      after,
    },
    step('verify', async ({ email, ticket, code }) => {
      await post(`${baseUrl}/user/register/verify`, {
        email,
        register_ticket: ticket,
        validate_code: code,
      });
    }),
    {
      ...step('login', async (person) => {
        const answer = await post(`${baseUrl}/user/login-with-password`, {
          email: person.email,
          login_password: person.password,
        });
        person.ticket = answer.login_ticket ?? '';
      }),
      after,
    },
    step('second factor', async ({ email, ticket, code }) => {
      await post(`${baseUrl}/user/login/2fa`, {
        email,
        login_ticket: ticket,
        method: 'EMAIL',
        validate_code: code,
      });
    }),
  ];
}
