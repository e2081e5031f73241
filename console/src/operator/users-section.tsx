/** People, the newest first: a row leads to the page of its person. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../api/me.ts';
import { DateOnly } from '../components/date-time.tsx';
import { Email } from '../components/email.tsx';
import { Select } from '../components/field.tsx';
import form from '../components/form.module.css';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { SearchForm } from '../components/search-form.tsx';
import { useFilterChange } from '../components/use-filter-change.ts';
import { useTranslation } from '../i18n/index.ts';
import { personName } from '../i18n/labels.ts';
import { ChangeButton } from './allows.tsx';
import table from './dense-table.module.css';
import { DenseTable } from './dense-table.tsx';
import classes from './operator.module.css';
import { type OperatorSearch, USER_STATUSES } from './operator-search.ts';
import { ConfirmAction } from './person/actions.tsx';
import { type User, type UserStatus, usersQuery } from './queries.ts';
import rows from './rows.module.css';

function ConfirmStatus({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  // What was asked for stays what is done, whatever becomes of the row below.
  const [action] = useState<'disable' | 'enable'>(user.status === 'active' ? 'disable' : 'enable');
  return <ConfirmAction person={user} action={action} onClose={onClose} />;
}

interface UserRowProps {
  readonly user: User;
  readonly isMe: boolean;
  readonly onOpen: (user: User) => void;
}

function UserRow({ user, isMe, onOpen }: UserRowProps) {
  const { t } = useTranslation('operator');
  return (
    <tr>
      <td className={rows.main}>
        <Link
          to="/operator"
          search={(all) => ({ ...all, person: String(user.user_id) })}
          className={table.open}
        >
          {personName(t, { nickname: user.nickname, isClosed: user.status === 'closed' })}
        </Link>
        <span className={table.small}>
          <Email address={user.email} />
        </span>
      </td>
      <td className={rows.state} data-state={user.status}>
        {t(`users.state.${user.status}`)}
      </td>
      <td className={rows.half}>
        <span className={table.wide}>{user.user_id}</span>
        <span className={table.narrow}>{t('payouts.ofPerson', { id: String(user.user_id) })}</span>
      </td>
      <td className={rows.half}>
        <DateOnly iso={user.created_at} />
      </td>
      {/* On a phone the page of the person has it. */}
      <td className={`${rows.action} ${table.action} ${table.wide}`}>
        {user.status !== 'closed' && !isMe && (
          <ChangeButton
            scope="operator:users"
            variant="default"
            size="xs"
            aria-label={t(user.status === 'active' ? 'users.disableName' : 'users.enableName', {
              name: user.nickname,
            })}
            onClick={() => onOpen(user)}
          >
            {t(user.status === 'active' ? 'users.disable' : 'users.enable')}
          </ChangeButton>
        )}
      </td>
    </tr>
  );
}

interface ListProps {
  readonly keyword: string;
  /** Undefined: any. */
  readonly status: UserStatus | undefined;
}

function People({ keyword, status }: ListProps) {
  const { t } = useTranslation('operator');
  const me = useMe().data?.user_id;
  const found = useInfiniteQuery(usersQuery(keyword, status));
  const [opened, setOpened] = useState<User>();
  const list = found.data?.pages.flatMap(({ records }) => records) ?? [];
  const total = found.data?.pages[0]?.total;
  return (
    <>
      <div role="status">
        {total === 0 && <EmptyState icon="people" title={t('users.none')} />}
        {total !== undefined && total > 0 && (
          <p className={classes.small}>{t('users.count', { count: total })}</p>
        )}
      </div>
      <QueryBoundary query={found} skeleton={<SkeletonLines count={8} height={40} />}>
        {() =>
          list.length > 0 && (
            <>
              <DenseTable
                label={t('view.users')}
                columns={[
                  { key: 'name', label: t('payouts.person'), className: rows.main },
                  { key: 'state', label: t('person.state'), className: rows.state },
                  { key: 'id', label: t('person.id'), className: rows.half },
                  { key: 'joined', label: t('person.joined'), className: rows.half },
                  {
                    key: 'action',
                    label: t('users.disable'),
                    className: rows.action,
                    isUnseen: true,
                  },
                ]}
              >
                {list.map((user) => (
                  <UserRow
                    key={user.user_id}
                    user={user}
                    isMe={user.user_id === me}
                    onOpen={setOpened}
                  />
                ))}
              </DenseTable>
              <div className={rows.more}>
                {found.hasNextPage && <MoreButton query={found} label={t('payouts.more')} />}
              </div>
            </>
          )
        }
      </QueryBoundary>
      {opened && <ConfirmStatus user={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

export function UsersSection() {
  const { t } = useTranslation('operator');
  const { keyword = '', account } = useSearch({ from: '/operator' });
  const change = useFilterChange<Pick<OperatorSearch, 'keyword' | 'account'>>();
  return (
    <Section title={t('view.users')}>
      <search className={`${form.filters} ${form.inRow}`}>
        <SearchForm
          label={t('users.keyword')}
          submitLabel={t('users.search')}
          value={keyword}
          focusKey="/"
          onSearch={(next) => change({ keyword: next || undefined })}
        />
        <Select
          label={t('person.state')}
          value={account ?? ''}
          onChange={(event) =>
            change({ account: USER_STATUSES.find((value) => value === event.currentTarget.value) })
          }
          options={[
            { value: '', label: t('users.anyStatus') },
            ...USER_STATUSES.map((value) => ({ value, label: t(`users.state.${value}`) })),
          ]}
        />
      </search>
      <People key={`${account} ${keyword}`} keyword={keyword} status={account} />
    </Section>
  );
}
