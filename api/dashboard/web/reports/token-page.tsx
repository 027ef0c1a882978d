import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useHasRole } from '../data/account/use-me.ts';
import { useApi } from '../data/http/services.tsx';
import { reportDomainsQuery } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { Lines } from '../ui/loading.tsx';
import { Page, type PageProps } from '../ui/page.tsx';
import { GrantedForm } from './granted-form.tsx';
import { reportToken } from './token.ts';
import { TokenForm } from './token-form.tsx';

const words = t.reports;

export interface TokenPageProps extends Pick<PageProps, 'title' | 'description' | 'crumbs'> {
  /** @param onRefused the reporting API does not know the token. */
  readonly children: (token: string, onRefused: () => void) => ReactNode;
}

/** A page whose figures a token decides: it is there once one is given, in this tab. */
export function TokenPage({ children, ...page }: TokenPageProps): ReactNode {
  const [token, setToken] = useState(reportToken.read);
  const [isRefused, setRefused] = useState(false);
  const isAdmin = useHasRole('admin');
  const { isLoading } = useQuery({ ...reportDomainsQuery(useApi()), enabled: isAdmin && token === null });
  const take = (given: string): void => {
    reportToken.write(given);
    setToken(given);
  };
  const forget = (refused: boolean): void => {
    reportToken.forget();
    setToken(null);
    setRefused(refused);
  };
  return (
    <Page
      {...page}
      actions={
        token !== null && (
          <Button variant="default" onClick={() => forget(false)}>
            {words.tokenForget}
          </Button>
        )
      }
    >
      {token === null && isLoading ? (
        <Lines />
      ) : token === null ? (
        <Stack gap="lg">
          {isAdmin && <GrantedForm onToken={take} />}
          <TokenForm isRefused={isRefused} onToken={take} />
        </Stack>
      ) : (
        children(token, () => forget(true))
      )}
    </Page>
  );
}
