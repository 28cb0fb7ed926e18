module ebb/interop/anacrolix-utp

go 1.21

require github.com/anacrolix/utp v0.2.0

require (
	github.com/anacrolix/missinggo v1.3.0 // indirect
	github.com/anacrolix/missinggo/perf v1.0.0 // indirect
	github.com/anacrolix/missinggo/v2 v2.5.1 // indirect
	github.com/anacrolix/sync v0.4.0 // indirect
	github.com/huandu/xstrings v1.3.1 // indirect
)
