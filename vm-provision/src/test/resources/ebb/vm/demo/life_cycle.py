"""The life cycle of a VM and a firewall rule, by google-api-python-client and its own copy of the
discovery document. The one argument is the address of the fake; any step that fails ends it."""

import sys
import uuid

from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from googleapiclient import discovery
from googleapiclient.errors import HttpError

PROJECT, ZONE = "ebb-demo", "europe-west1-b"
compute = discovery.build(
    "compute",
    "v1",
    credentials=AnonymousCredentials(),
    client_options=ClientOptions(api_endpoint=sys.argv[1] + "compute/v1/"),
    static_discovery=True,
)


def finished(operation):
    """Waits for an operation and returns it."""
    if "zone" in operation:
        wait = compute.zoneOperations().wait(
            project=PROJECT, zone=ZONE, operation=operation["name"]
        )
    else:
        wait = compute.globalOperations().wait(project=PROJECT, operation=operation["name"])
    while operation["status"] != "DONE":
        operation = wait.execute()
    assert "error" not in operation, operation
    return operation


def refused(request, status, words):
    """Expects an HTTP error that the library can read."""
    try:
        request.execute()
    except HttpError as e:
        assert e.resp.status == status, e
        assert words in e.reason, e.reason
        assert e.error_details, "no details"
        return
    raise AssertionError("not refused: " + request.uri)


def instance(name):
    return {
        "name": name,
        "machineType": f"zones/{ZONE}/machineTypes/e2-small",
        "labels": {"ebb-run": "second"},
        "disks": [
            {
                "boot": True,
                "autoDelete": True,
                "initializeParams": {
                    "sourceImage": "projects/debian-cloud/global/images/family/debian-12",
                    "diskType": f"zones/{ZONE}/diskTypes/pd-standard",
                    "diskSizeGb": "20",
                },
            }
        ],
        "networkInterfaces": [
            {
                "network": "global/networks/default",
                "accessConfigs": [{"type": "ONE_TO_ONE_NAT", "name": "External NAT"}],
            }
        ],
    }


instances, firewalls = compute.instances(), compute.firewalls()
at = {"project": PROJECT, "zone": ZONE}
again = str(uuid.uuid4())
first = instances.insert(**at, body=instance("py"), requestId=again).execute()
second = instances.insert(**at, body=instance("py"), requestId=again).execute()
assert first["name"] == second["name"], "the request id was not heeded"
finished(first)
made = instances.get(**at, instance="py").execute()
assert made["status"] == "RUNNING", made
assert made["networkInterfaces"][0]["accessConfigs"][0]["natIP"], made

finished(instances.insert(**at, body=instance("py-2")).execute())
listed, request = [], instances.list(**at, filter="labels.ebb-run=second")
while request is not None:
    page = request.execute()
    listed += [one["name"] for one in page.get("items", [])]
    request = instances.list_next(request, page)
assert listed == ["py", "py-2"], listed
scopes = instances.aggregatedList(project=PROJECT).execute()["items"]
assert len(scopes[f"zones/{ZONE}"]["instances"]) >= 1, scopes
assert compute.zones().get(**at).execute()["status"] == "UP"
assert compute.regions().get(project=PROJECT, region="europe-west1").execute()["quotas"]
assert "Debian" in instances.getSerialPortOutput(**at, instance="py").execute()["contents"]

# Several by one request, named one by one or numbered, which differ by nothing else.
properties = instance("none")
del properties["name"]
properties["machineType"] = "e2-small"
properties["disks"][0]["initializeParams"]["diskType"] = "pd-standard"
bulk = {
    "count": "3",
    "minCount": "3",
    "perInstanceProperties": {"py-x": {}, "py-y": {}, "py-z": {}},
    "instanceProperties": properties,
}
again = str(uuid.uuid4())
first = instances.bulkInsert(**at, body=bulk, requestId=again).execute()
second = instances.bulkInsert(**at, body=bulk, requestId=again).execute()
assert first["name"] == second["name"], "the request id was not heeded"
assert first["operationType"] == "bulkInsert" and first["clientOperationId"] == again, first
whole = finished(first)
counts = whole["instancesBulkInsertOperationMetadata"]["perLocationStatus"][f"zones/{ZONE}"]
assert counts["status"] == "DONE" and counts["createdVmCount"] == 3, counts


def parts(operation):
    """The operations of VMs that one request has begun, as Google's own tools ask for them."""
    found, request = [], compute.zoneOperations().list(
        **at, filter="operationGroupId=" + operation["operationGroupId"]
    )
    while request is not None:
        page = request.execute()
        found += page.get("items", [])
        request = compute.zoneOperations().list_next(request, page)
    return found


inserts = [one for one in parts(whole) if one["operationType"] == "insert"]
assert [one["targetLink"].split("/")[-1] for one in inserts] == ["py-x", "py-y", "py-z"], inserts
for name in bulk["perInstanceProperties"]:
    assert instances.get(**at, instance=name).execute()["status"] == "RUNNING"

# When one of them cannot be made, those that were are taken back.
taken = dict(bulk, count="2", minCount="2", perInstanceProperties={"py-w": {}, "py-x": {}})
operation = instances.bulkInsert(**at, body=taken).execute()
operation = compute.zoneOperations().wait(**at, operation=operation["name"]).execute()
assert operation["error"]["errors"][0]["code"] == "VM_MIN_COUNT_NOT_REACHED", operation
failed = [one for one in parts(operation) if "error" in one and one["operationType"] == "insert"]
assert failed[0]["error"]["errors"][0]["code"] == "RESOURCE_ALREADY_EXISTS", failed
refused(instances.get(**at, instance="py-w"), 404, "was not found")
refused(instances.bulkInsert(**at, body=dict(bulk, namePattern="py-#")), 400, "namePattern")
for name in bulk["perInstanceProperties"]:
    finished(instances.delete(**at, instance=name).execute())
numbered = dict(bulk, count="2", minCount="1", namePattern="py-n##")
del numbered["perInstanceProperties"]
finished(instances.bulkInsert(**at, body=numbered).execute())
for name in ("py-n01", "py-n02"):
    finished(instances.delete(**at, instance=name).execute())

rule = {
    "name": "py",
    "network": "global/networks/default",
    "direction": "INGRESS",
    "allowed": [{"IPProtocol": "tcp", "ports": ["8080"]}],
    "sourceRanges": ["198.51.100.7/32"],
    "targetTags": ["py"],
}
finished(firewalls.insert(project=PROJECT, body=rule).execute())
assert firewalls.get(project=PROJECT, firewall="py").execute()["targetTags"] == ["py"]
refused(firewalls.insert(project=PROJECT, body=rule), 409, "already exists")
finished(firewalls.delete(project=PROJECT, firewall="py").execute())

wrong = instance("wrong")
wrong["disks"][0]["autodelete"] = True
refused(instances.insert(**at, body=wrong), 400, "autodelete")
refused(instances.insert(**at, body=instance("py")), 409, "already exists")
for name in ("py", "py-2"):
    finished(instances.delete(**at, instance=name).execute())
    refused(instances.get(**at, instance=name), 404, "was not found")
print("life cycle done")
