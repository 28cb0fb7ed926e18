module ebb/wan

go 1.18
