import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../apps/use-app.ts';
import { campaignQuery, campaignsKey } from '../campaigns/queries.ts';
import { readersInWords } from '../compose/readers-words.ts';
import { useReaders } from '../compose/use-forecast.ts';
import { everyReader } from '../compose/values.ts';
import { textsAreThere, WordsInputs } from '../compose/words-inputs.tsx';
import { deliveriesKey } from '../deliveries/queries.ts';
import { useApi } from '../http/services.tsx';
import { FormModal } from '../shell/form-modal.tsx';
import { toastDone } from '../shell/toast.ts';
import { t } from '../texts/t.ts';
import { approveDraft } from './queries.ts';
import type { DraftProps } from './resource.ts';

const words = t.feeds;

interface Props extends DraftProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The last look at a draft: its texts may be changed, then it is sent. */
export function ApproveDialog({ opened, onClose, app, campaign, item }: Props): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { title: item.title, body: item.body },
    validate: textsAreThere,
  });
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={words.approveTitle}
      form={form}
      act={words.approveAct}
      run={(texts) => approveDraft(api, app, { campaign, item: item.id }, texts)}
      onDone={() => {
        onClose();
        toastDone(words.approved);
        void queries.invalidateQueries({ queryKey: deliveriesKey(app) });
        void queries.invalidateQueries({ queryKey: campaignsKey(app) });
      }}
    >
      <Audience campaign={campaign} />
      <WordsInputs inputOf={form.getInputProps} />
    </FormModal>
  );
}

function Audience({ campaign }: { campaign: number }): ReactNode {
  const { identifier } = useApp();
  const { data } = useQuery(campaignQuery(useApi(), identifier, String(campaign)));
  const { readers } = useReaders({
    ...everyReader,
    segment_id: String(data?.segment_id ?? ''),
    delivery_category_id: String(data?.delivery_category_id ?? ''),
  });
  return (
    <Text size="sm">
      {typeof readers === 'number' ? t.compose.confirmNow(readersInWords(readers)) : t.compose.confirmUnknown}
    </Text>
  );
}
