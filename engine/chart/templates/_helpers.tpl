{{/*
One installation a release; the usual name of a release is the chart's. A Service's name has at most 63 characters, no dot,
and begins with a letter. A name that is cut has a hash of the whole: two releases of one namespace share nothing.
*/}}
{{- define "broadside.name" -}}
{{- $release := .Release.Name | replace "." "-" }}
{{- $name := ternary $release (printf "%s-broadside" $release) (contains "broadside" $release) }}
{{- $name = ternary $name (printf "broadside-%s" $release) (regexMatch "^[a-z]" $name) }}
{{- if or (gt (len $name) 40) (contains "." .Release.Name) -}}
{{- printf "%s-%s" ($name | trunc 40 | trimSuffix "-") (.Release.Name | sha256sum | trunc 8) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{/* Which nodes take its pods, and as what. */}}
{{- define "broadside.nodes" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Kubernetes would refuse it, after it has changed half of the rest. */}}
{{- define "broadside.checkScale" -}}
{{- if lt (int .scale.maxReplicas) (int .scale.minReplicas) }}
{{- fail (printf "%s.autoscaling.maxReplicas is %v, less than minReplicas (%v): set both" .role .scale.maxReplicas .scale.minReplicas) }}
{{- end }}
{{- end -}}

{{/* What selects pods never changes, so it holds no version. */}}
{{- define "broadside.selector" -}}
app.kubernetes.io/name: broadside
app.kubernetes.io/instance: {{ .root.Release.Name | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "broadside.labels" -}}
{{ include "broadside.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "broadside.image" -}}
{{- with .root.Values.image -}}
{{- if and .digest (not $.tag) -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ $.tag | default .tag | default $.root.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* YAML's numbers are floats: 1000000 would become 1e+06. */}}
{{- define "broadside.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) -}}
{{- int64 . -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end -}}

{{/* Settings for a ConfigMap: what is empty is left to the role's default. */}}
{{- define "broadside.data" -}}
{{- range $name, $value := . }}
{{- $text := include "broadside.text" $value }}
{{- if ne $text "" }}
{{ $name }}: {{ $text | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Settings for a container. */}}
{{- define "broadside.env" -}}
{{- range $name, $value := . }}
{{- $text := include "broadside.text" $value }}
{{- if ne $text "" }}
- name: {{ $name }}
  value: {{ $text | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "broadside.account" -}}
{{- with .Values.serviceAccount -}}
{{- if .name }}{{ .name }}{{ else if .create }}{{ include "broadside.name" $ }}{{ else }}default{{ end -}}
{{- end -}}
{{- end -}}

{{/* What every pod has: no rights, no token, a disk that cannot be changed, and its own /tmp. */}}
{{- define "broadside.pod" -}}
automountServiceAccountToken: false
serviceAccountName: {{ include "broadside.account" .root }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    emptyDir: { sizeLimit: {{ .tmp }} }
{{- with .root.Values.volumes }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}

{{- define "broadside.container" -}}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- with .Values.volumeMounts }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}
