import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ProvidersSection } from '../providers/providers-section.tsx';
import { providersQuery } from '../providers/queries.ts';
import { resourcesQuery } from '../resources/queries.ts';
import { ResourcesSection } from '../resources/resources-section.tsx';
import { Together } from '../together.tsx';
import { ApplicationsSection } from './applications-section.tsx';
import { applicationsQuery } from './queries.ts';
import { RegistrationSection } from './registration-section.tsx';

/** Who gets tokens, and by which accounts people sign in. */
export function ApplicationsView() {
  const applications = useInfiniteQuery(applicationsQuery);
  const providers = useQuery(providersQuery);
  const resources = useQuery(resourcesQuery);
  return (
    <Together queries={[applications, providers, resources]}>
      <ApplicationsSection />
      <ProvidersSection />
      <ResourcesSection />
      <RegistrationSection />
    </Together>
  );
}
